/** What people of the operator's may do. Each may what those before it may. */
export const ROLES = ['viewer', 'content', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Who may call. `open` needs nothing; a scope needs an API key that has it, `partner` one that has any but `operator`; `customer`
 * also needs a customer's token; the operator's side names the least role that may.
 */
export type Access =
  | 'open'
  | { scope: 'public' | 'wallet' | 'merchant' | 'partner'; customer?: true }
  | { scope: 'operator'; role: Role; customer?: undefined };
