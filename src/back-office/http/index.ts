export * from './admin-customers-notes.ts';
export * from './admin-me-views.ts';
