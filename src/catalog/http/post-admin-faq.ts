import { createEndpoint } from '../admin/endpoints.ts';
import { faqResource } from '../admin/resources.ts';

export const postAdminFaq = createEndpoint('POST /admin/faq', faqResource);
