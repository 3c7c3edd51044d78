import { showEndpoint } from '../admin/endpoints.ts';
import { faqResource } from '../admin/resources.ts';

export const getAdminFaqId = showEndpoint('GET /admin/faq/:id', faqResource);
