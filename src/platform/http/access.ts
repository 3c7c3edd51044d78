/** The roles of the operator's people. Each role includes those before it. */
export const ROLES = ['viewer', 'content', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The roles of a merchant's people. Each role includes those before it. */
export const MEMBER_ROLES = ['clerk', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * Who may call. `open`: everybody. A scope: an API key with that scope. `partner`: a key that reads events. `customer`: a key and a
 * customer's token. `merchant`: a merchant's own key, or a key with the scope `till` and the token of a member with at least the role
 * `member`. A role: an operator's person with at least that role, by a key or a session; `fields`: those of the body that take a higher
 * one (`requireFieldRoles`); `isBegunEnough`: also by a session whose second factor is still missing.
 */
export type Access =
  | 'open'
  | { scope: 'public' | 'wallet' | 'partner'; customer?: true; member?: undefined }
  | { scope: 'merchant'; member: MemberRole; customer?: undefined }
  | { scope: 'till'; member?: MemberRole; customer?: undefined }
  | {
      scope: 'operator';
      role: Role;
      fields?: FieldRoles;
      isBegunEnough?: true;
      customer?: undefined;
      member?: undefined;
    };

export type FieldRoles = Readonly<Record<string, Role>>;
