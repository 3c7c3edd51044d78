export { MEMBERS_TOPIC } from './members.ts';
export { memberCodeChecker } from './sign-in.ts';
export {
  findMemberRole,
  insertMember,
  isActiveMember,
  isOrWasMember,
  listMemberNames,
  listOwnerPhones,
} from './store.ts';
