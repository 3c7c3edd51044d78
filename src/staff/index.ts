export { ensureMember } from './members.ts';
export { listNames } from './store.ts';
