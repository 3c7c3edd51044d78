export { deleteAdminMeViewsId } from './delete-admin-me-views-id.ts';
export { getAdminCustomersIdNotes } from './get-admin-customers-id-notes.ts';
export { getAdminMeViews } from './get-admin-me-views.ts';
export { postAdminCustomersIdNotes } from './post-admin-customers-id-notes.ts';
export { postAdminMeViews } from './post-admin-me-views.ts';
