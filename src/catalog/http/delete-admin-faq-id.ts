import { removeEndpoint } from '../admin/endpoints.ts';
import { faqResource } from '../admin/resources.ts';

export const deleteAdminFaqId = removeEndpoint('DELETE /admin/faq/:id', faqResource);
