export { ensureMember } from './members.ts';
