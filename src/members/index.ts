export { insertMember, isMember, listMemberNames, wasMember } from './store.ts';
