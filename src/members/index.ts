export { MEMBERS_TOPIC } from './members.ts';
export { type CheckMemberCode, memberCodeChecker } from './sign-in.ts';
export {
  findMemberRole,
  insertMember,
  isActiveMember,
  isOrWasMember,
  listMemberNames,
  listOwnerPhones,
} from './store.ts';
