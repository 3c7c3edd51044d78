export * from './admin-approvals.ts';
