export type SemanaOptions = {
  /** The front door: https://api.semana.example */
  apiUrl: string;
  /** A key with the scope `merchant`. */
  apiKey: string;
  /** Of the webhook endpoint; both secrets during a rotation. */
  webhookSecret: string | string[];
  /** Where the customer comes back to. Of an origin in the key's `return_origins`; it gets `reference`, the payment session. */
  returnUrl: string;
  /** At most so many weeks; the customer may choose fewer. */
  installments?: number;
};

export const DEFAULT_INSTALLMENTS = 4;

/** What is wrong with the options; undefined if nothing is. */
export function faultOf(options: Partial<SemanaOptions>): string | undefined {
  const { apiKey, webhookSecret, installments = DEFAULT_INSTALLMENTS } = options;
  for (const name of ['apiUrl', 'returnUrl'] as const)
    if (!URL.canParse(options[name] ?? '')) return `${name} must be an address.`;
  if (!apiKey) return 'apiKey is missing.';
  if (!webhookSecret || webhookSecret.length === 0) return 'webhookSecret is missing.';
  if (!Number.isInteger(installments) || installments < 1) return 'installments must be a whole number.';
  return undefined;
}
