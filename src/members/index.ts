export { type CheckMemberCode, memberCodeChecker } from './member-code.ts';
export { MEMBERS_TOPIC } from './members.ts';
export {
  insertMember,
  isActiveMember,
  isOrWasMember,
  listMemberNames,
  listOwnerPhones,
} from './store.ts';
