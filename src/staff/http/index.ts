export * from './admin-audit-trail.ts';
export * from './admin-staff.ts';
export * from './auth.ts';
