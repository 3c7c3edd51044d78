export { ensureMember } from './members.ts';
export { memberNames } from './render-trail.ts';
export { listNames } from './store.ts';
