/** Texts for the customer. Codes in capitals are those of the Pix network; the others are ours. */
const REJECTION_TEXTS: Record<string, string> = {
  no_money: 'Não havia saldo na conta.',
  no_answer: 'O banco não respondeu.',
  withdrawn: 'O débito foi cancelado no banco.',
  AM02: 'O valor passa do limite que você definiu no aplicativo do banco.',
  AC05: 'A conta está encerrada.',
  AC06: 'A conta está bloqueada.',
  MSUC: 'A autorização não vale mais.',
  NITX: 'A autorização não vale mais.',
  DENC: 'A autorização não vale mais.',
};

export const describeRejection = (code: string): string =>
  REJECTION_TEXTS[code] ?? `O banco recusou o débito (${code}).`;

/** Rejections that a retry cannot change until the payer acts. */
export const FINAL_CODES: ReadonlySet<string> = new Set(['AM02']);
