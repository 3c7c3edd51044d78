export { insertMember } from './store.ts';
