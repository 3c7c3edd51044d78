export { MEMBERS_TOPIC } from './members.ts';
export { insertMember, isMember, listMemberNames, listOwnerPhones } from './store.ts';
