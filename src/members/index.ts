export { MEMBERS_TOPIC } from './members.ts';
export { type CheckMemberCode, memberCodes } from './own-code.ts';
export {
  insertMember,
  isMember,
  listMemberNames,
  listOwnerPhones,
  wasMember,
} from './store.ts';
