export { getAdminSearch } from './get-admin-search.ts';
export { getAdminSettings } from './get-admin-settings.ts';
export { getAdminToday } from './get-admin-today.ts';
