export { MEMBERS_TOPIC } from './members.ts';
export { type CheckMemberCode, memberCodeChecker } from './sign-in.ts';
export {
  insertMember,
  isActiveMember,
  isOrWasMember,
  listMemberNames,
  listOwnerPhones,
} from './store.ts';
