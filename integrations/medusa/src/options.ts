export type SemanaOptions = {
  /** The URL of the partner API, e.g. https://api.semana.example */
  apiUrl: string;
  /** A key with the scope `merchant`. */
  apiKey: string;
  /** The secret of the webhook endpoint. During a rotation, both secrets. */
  webhookSecret: string | string[];
  /**
   * The URL to which the customer returns. Its origin must be in the `return_origins` of the key. The query parameter `reference` is the id of
   * the payment session.
   */
  returnUrl: string;
  /** The maximum number of weekly installments. The customer may choose fewer. */
  installments?: number;
};

export const DEFAULT_INSTALLMENTS = 4;

/** Returns the first error in the options, or undefined. */
export function findOptionError(options: Partial<SemanaOptions>): string | undefined {
  const { apiKey, webhookSecret, installments = DEFAULT_INSTALLMENTS } = options;
  for (const name of ['apiUrl', 'returnUrl'] as const)
    if (!URL.canParse(options[name] ?? '')) return `${name} must be a URL.`;
  if (!apiKey) return 'apiKey is missing.';
  if (!webhookSecret || webhookSecret.length === 0) return 'webhookSecret is missing.';
  if (!Number.isInteger(installments) || installments < 1) return 'installments must be a whole number.';
  return undefined;
}
