export { insertMember, isMember, listMemberNames } from './store.ts';
