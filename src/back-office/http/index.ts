export { getAdminCustomersIdNotes, postAdminCustomersIdNotes } from './admin-customers-notes.ts';
export { deleteAdminMeViewsId, getAdminMeViews, postAdminMeViews } from './admin-me-views.ts';
