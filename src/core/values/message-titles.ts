/** The names of the kinds of messages in lists. A new message needs its title here and its texts in `messages/templates.ts`. */
export const MESSAGE_TITLES = {
  login_code: 'Código de acesso',
  offer: 'Oferta de compra',
  offer_accepted: 'Compra aceita',
  reminder: 'Lembrete de parcela',
  payment_received: 'Pagamento recebido',
  extended: 'Parcela prorrogada',
  returned: 'Devolução',
  autopay_failed: 'Débito automático falhou',
  cashback_expiring: 'Cashback a expirar',
  password_changed: 'Nova senha',
  phone_changed: 'Troca de telefone',
  new_session: 'Nova entrada na conta',
  credit_answer: 'Resposta sobre o crédito',
  payout_account_changed: 'Conta de repasse trocada',
  payout_paid: 'Repasse pago',
};
export type MessageName = keyof typeof MESSAGE_TITLES;

export const isMessageName = (name: string): name is MessageName => Object.hasOwn(MESSAGE_TITLES, name);

/** The titles that customers see, where they differ. */
const TITLES_FOR_CUSTOMERS: Partial<Record<MessageName, string>> = {
  offer: 'Oferta de uma loja',
  autopay_failed: 'Débito automático',
  phone_changed: 'Troca de celular',
  credit_answer: 'Resposta sobre o seu crédito',
};

export const getTitleForCustomer = (name: string): string =>
  isMessageName(name) ? (TITLES_FOR_CUSTOMERS[name] ?? MESSAGE_TITLES[name]) : 'Aviso';

/** Returns the title for the middle of a sentence, such as 'código de acesso'. */
export const getTitleInSentence = (name: string): string =>
  isMessageName(name) ? MESSAGE_TITLES[name].replace(/^./, (letter) => letter.toLowerCase()) : name;
