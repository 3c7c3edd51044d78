export { MEMBERS_TOPIC } from './members.ts';
export { insertMember, isMember, listMemberNames } from './store.ts';
