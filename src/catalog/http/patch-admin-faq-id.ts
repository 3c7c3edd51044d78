import { changeEndpoint } from '../admin/endpoints.ts';
import { faqResource } from '../admin/resources.ts';

export const patchAdminFaqId = changeEndpoint('PATCH /admin/faq/:id', faqResource);
