export { MEMBERS_TOPIC } from './members.ts';
export { type CheckMemberCode, memberCodes } from './own-code.ts';
export {
  findMemberPhone,
  insertMember,
  isMember,
  listMemberNames,
  listOwnerIdsToTell,
  wasMember,
} from './store.ts';
