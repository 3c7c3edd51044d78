/** The roles of the operator's people. Each role includes those before it. */
export const ROLES = ['viewer', 'content', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Who may call. `open`: everybody. A scope: an API key with that scope. `partner`: a key with any scope but `operator`.
 * `customer`: a key and a customer's token. A role: an operator's person with at least that role.
 */
export type Access =
  | 'open'
  | { scope: 'public' | 'wallet' | 'merchant' | 'partner'; customer?: true }
  | { scope: 'operator'; role: Role; customer?: undefined };
