/** Roles of staff users. Each role may read what `viewer` may read, and `admin` includes all roles. */
export const ROLES = ['viewer', 'content', 'support', 'risk', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The role of a caller: '' unless the caller is a staff user. */
export type CallerRole = Role | '';

/** The roles that work with customers. They see personal data unmasked. */
export const CUSTOMER_ROLES: readonly Role[] = ['support', 'risk', 'finance'];

/** The role that an action requires, or a list of roles of which any one is sufficient. `viewer` stands for every role. */
export type RequiredRole = Role | readonly Role[];

export const listRoles = (requiredRole: RequiredRole): readonly Role[] =>
  typeof requiredRole === 'string' ? [requiredRole] : requiredRole;

export const hasRole = ({ role }: { role: CallerRole }, requiredRole: RequiredRole): boolean =>
  role === 'admin' ||
  (role !== '' && listRoles(requiredRole).some((name) => name === role || name === 'viewer'));

export const seesUnmasked = (caller: { role: CallerRole }): boolean => hasRole(caller, CUSTOMER_ROLES);

/** Roles of a merchant's members. Each role includes the roles before it. */
export const MEMBER_ROLES = ['clerk', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * Who may call an endpoint:
 * - `open`: anyone, without an API key.
 * - `public`, `wallet`: an API key with that scope. `partner`: an API key that may read events.
 * - `customer`: an API key and a customer's token.
 * - `merchant`: the merchant's own API key, or a key with scope `till` and the token of a member with at least `memberRole`.
 * - `operator`: a staff user with `role`, by API key or session. `fieldRoles` lists body fields that require another role; staff users
 *   with that role are admitted too (`requireFieldRoles`). `allowsUnverifiedSession` also admits a session whose second factor is still missing.
 */
export type Access =
  | 'open'
  | { scope: 'public' | 'wallet' | 'partner'; customer?: true; memberRole?: undefined }
  | { scope: 'merchant'; memberRole: MemberRole; customer?: undefined }
  | { scope: 'till'; memberRole?: MemberRole; customer?: undefined }
  | {
      scope: 'operator';
      role: RequiredRole;
      fieldRoles?: FieldRoles;
      allowsUnverifiedSession?: true;
      customer?: undefined;
      memberRole?: undefined;
    };

export type FieldRoles = Readonly<Record<string, Role>>;

type WithAccess = { readonly access: Access };

export const requiresCustomer = ({ access }: WithAccess): boolean =>
  access !== 'open' && access.customer === true;

export const mayRequireMember = ({ access }: WithAccess): boolean =>
  access !== 'open' && access.memberRole !== undefined;

/** Whether an endpoint belongs to the staff API. All others belong to the partner API. */
export const isStaffEndpoint = ({ access }: WithAccess): boolean =>
  access !== 'open' && access.scope === 'operator';
