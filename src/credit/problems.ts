import { describeReason } from '#core/finance/decision-reasons.ts';
import type { ScheduleRefusal } from '#core/finance/schedule.ts';
import { type Cents, cents, formatPlainReais, formatReais, toReais } from '#core/values/money.ts';
import { phoneNotSupported } from '#customers';
import { rateLimited } from '#partners';
import { defineProblem, type FieldError, type ProblemFactory } from '#platform/problem.ts';

export const OPEN_OFFER_NOT_FOUND = {
  en: 'There is no open offer with this link or code.',
  pt: 'Não há oferta com este link ou código.',
};

export const INSTALLMENT_NOT_FOUND = {
  en: 'You have no installment with this id.',
  pt: 'Você não tem parcela com este id.',
};

export const creditLimitExceeded = defineProblem({
  code: 'credit_limit_exceeded',
  status: 422,
  title: { en: 'The purchase exceeds the available limit', pt: 'A compra ultrapassa o limite disponível' },
  cause: 'The debt of the customer plus the total of this purchase exceeds the credit limit.',
  remedy: 'Sell for at most `available`, including interest, or raise the limit.',
  detail: ({ limit, used, total }: { limit: Cents; used: Cents; total: Cents }) => {
    const available = cents(limit - used);
    return {
      en: `The total of the purchase is ${toReais(total)}, but only ${toReais(available)} is available.`,
      pt: `A compra soma ${formatReais(total)} ao todo, e há ${formatReais(available)} disponíveis.`,
      members: {
        limit: toReais(limit),
        used: toReais(used),
        available: toReais(available),
        total: toReais(total),
      },
    };
  },
});

export const customerOverdue = defineProblem({
  code: 'customer_overdue',
  status: 409,
  title: { en: 'The customer is overdue', pt: 'O cliente está em atraso' },
  cause:
    'An installment of the customer is past its effective due day. The customer cannot buy on credit until it is settled.',
  remedy: 'Have the overdue installment paid or extended, then try again.',
});

export const cashbackOwed = defineProblem({
  code: 'cashback_owed',
  status: 409,
  title: { en: 'The customer owes cashback', pt: 'O cliente deve cashback' },
  cause:
    'Cashback that the customer had already spent was reversed, because a purchase was returned or a payment charged back. The customer ' +
    'cannot buy on credit until the balance is no longer negative.',
  remedy:
    'Newly earned cashback reduces the debt first: have open installments paid on time. The operator can also adjust the balance. The missing amount is `owed`.',
  detail: (owed: Cents) => ({
    en: `The customer owes ${formatPlainReais(owed)} of cashback.`,
    pt: `O cliente deve ${formatReais(owed)} de cashback.`,
    members: { owed: toReais(owed) },
  }),
});

export const customerLocked = defineProblem({
  code: 'customer_locked',
  status: 409,
  title: { en: 'The customer is locked', pt: 'O cliente está bloqueado' },
  cause: 'The operator has locked this customer.',
  remedy: 'Unlock the customer, then try again.',
});

export const termsUnlawful = defineProblem({
  code: 'terms_unlawful',
  status: 422,
  title: { en: 'The terms break consumer law', pt: 'As condições violam o Código de Defesa do Consumidor' },
  cause:
    'A fine above 2 % of the installment (CDC art. 52 §1), late interest above 1 % per month (STJ Súmula 379), an extension fee ' +
    'above 10 %, or a weekly rate above the maximum of the operator (CDC art. 51 IV).',
  remedy: 'Read `errors`: each names the term, its maximum and the legal rule.',
  detail: (source: 'purchase' | 'merchant', errors: readonly FieldError[]) => ({
    ...(source === 'purchase'
      ? {
          en: 'The terms break consumer law.',
          pt: 'As condições desrespeitam o Código de Defesa do Consumidor.',
        }
      : {
          en: 'The terms of the merchant’s plan break consumer law.',
          pt: 'As condições do plano da loja desrespeitam o Código de Defesa do Consumidor.',
        }),
    errors,
  }),
});

export const installmentPaid = defineProblem({
  code: 'installment_paid',
  status: 409,
  title: { en: 'The installment is paid', pt: 'A parcela já foi paga' },
  cause: 'The installment has no outstanding amount.',
  remedy: 'Get the purchase again: there is nothing to pay.',
});

const PORTUGUESE_ACTIONS = { 'can be paid': 'Pode ser pago', 'can be returned': 'Podem ser devolvidos' };

export const valueOutOfRange = defineProblem({
  code: 'value_out_of_range',
  status: 422,
  title: { en: 'The amount is too small or too large', pt: 'O valor é pequeno ou grande demais' },
  cause:
    'A partial PIX payment is at least 1.00, or the total due if that is less, and at most the total due. A payment with cashback is at ' +
    'most the available balance and the amount that settles the installment. A return is at most the amount not returned yet.',
  remedy: 'Send an amount from `min` to `max`.',
  detail: (action: keyof typeof PORTUGUESE_ACTIONS, min: Cents, max: Cents) => ({
    en: `From ${formatPlainReais(min)} to ${formatPlainReais(max)} ${action}.`,
    pt: `${PORTUGUESE_ACTIONS[action]} de ${formatReais(min)} a ${formatReais(max)}.`,
    members: { min: toReais(min), max: toReais(max) },
  }),
});

export const checkoutReturned = defineProblem({
  code: 'checkout_returned',
  status: 409,
  title: { en: 'The purchase was already returned in full', pt: 'A compra já foi devolvida por inteiro' },
  cause: 'Nothing of the purchase is left to return.',
  remedy: 'Get the purchase: `returned_at` says when it was returned.',
});

export const returnWaiting = defineProblem({
  code: 'return_waiting',
  status: 409,
  title: {
    en: 'A return of this purchase is already waiting for approval',
    pt: 'Já há uma devolução aguardando',
  },
  cause: 'Returns that wait for the operator’s approval cover the whole remaining amount of the purchase.',
  remedy: 'Wait for the decision of the operator, which `GET /merchant/returns` returns.',
  detail: {
    en: 'All that is left of this purchase is waiting to be returned.',
    pt: 'Tudo o que resta desta compra já aguarda devolução.',
  },
});

export const returnClosed = defineProblem({
  code: 'return_closed',
  status: 409,
  title: { en: 'The return is no longer waiting', pt: 'A devolução não aguarda mais' },
  cause: 'The return was already approved or refused.',
  remedy: 'List the returns: `status` shows the decision.',
  detail: (status: 'made' | 'refused') => ({
    en: `This return was already ${status}.`,
    pt: status === 'made' ? 'Esta devolução já foi feita.' : 'Esta devolução já foi recusada.',
  }),
});

export const merchantOwes = defineProblem({
  code: 'merchant_owes',
  status: 409,
  title: { en: 'The merchant owes too much', pt: 'O lojista deve demais' },
  cause: 'After returns, the merchant owes more than `MERCHANT_FLOOR`.',
  remedy: 'The merchant can create offers again once new sales have reduced the debt. Contact the operator.',
  detail: (owedReais: number, maxReais: number) => ({
    en: `The merchant owes R$ ${owedReais.toFixed(2)}; above R$ ${maxReais.toFixed(2)} it cannot create offers.`,
    pt: `A loja deve R$ ${owedReais.toFixed(2).replace('.', ',')}; acima de R$ ${maxReais.toFixed(2).replace('.', ',')} não faz novas ofertas.`,
  }),
});

export const nothingToWriteOff = defineProblem({
  code: 'nothing_to_write_off',
  status: 409,
  title: { en: 'There is nothing to write off', pt: 'Não há nada a baixar como perda' },
  cause: 'The purchase has no outstanding amount, or it is already written off.',
  remedy: 'Get the purchase: `outstanding` and `written_off_at` show its state.',
  detail: (reason: 'written_off' | 'nothing_owed') =>
    reason === 'written_off'
      ? { en: 'This purchase is already written off.', pt: 'Esta compra já foi baixada como perda.' }
      : {
          en: 'This purchase has no outstanding amount.',
          pt: 'Não há nada em aberto nesta compra.',
        },
});

export const notWrittenOff = defineProblem({
  code: 'not_written_off',
  status: 409,
  title: { en: 'The purchase is not written off', pt: 'A compra não está baixada como perda' },
  cause: 'Only a purchase that is currently written off can be reinstated.',
  remedy: 'Get the purchase: `written_off_at` shows its state.',
});

export const amountOutOfRange = defineProblem({
  code: 'amount_out_of_range',
  status: 422,
  title: { en: 'The merchant does not sell for this amount', pt: 'O lojista não vende por este valor' },
  cause:
    'The amount is outside the range of the merchant’s plan, or too small for the number of installments.',
  remedy: 'Choose an amount from `min_amount` to `max_amount`.',
  detail: (bounds: { min: Cents; max: Cents } | ScheduleRefusal) => {
    if ('message' in bounds) {
      const { en, pt } = bounds.message;
      return { en: `${en}.`, pt: `${pt}.` };
    }
    const [min, max] = [toReais(bounds.min), toReais(bounds.max)];
    const [from, to] = [formatReais(bounds.min), formatReais(bounds.max)];
    const message = { en: `must be from ${min} to ${max}`, pt: `deve ficar entre ${from} e ${to}` };
    return {
      en: `This merchant sells for ${min} to ${max}.`,
      pt: `Esta loja vende de ${from} a ${to}.`,
      errors: [{ pointer: '/amount', message }],
      members: { min_amount: min, max_amount: max },
    };
  },
});

export const tooManyInstallments = defineProblem({
  code: 'too_many_installments',
  status: 422,
  title: {
    en: 'Too many installments',
    pt: 'Não é possível dividir em tantas parcelas',
  },
  cause: 'The merchant’s plan, or the offer, allows fewer installments.',
  remedy: 'Choose at most `max_installments`.',
  detail: (max: number) => ({
    en: `At most ${max} installments are possible.`,
    pt: `Aqui são possíveis no máximo ${max} parcelas.`,
    errors: [
      {
        pointer: '/installments',
        message: { en: `must be at most ${max}`, pt: `deve ser no máximo ${max}` },
      },
    ],
    members: { max_installments: max },
  }),
});

export const merchantUnlisted = defineProblem({
  code: 'merchant_unlisted',
  status: 409,
  title: { en: 'The merchant is not listed', pt: 'O lojista não está vendendo no momento' },
  cause: 'The operator has removed the merchant of this key from the catalog.',
  remedy: 'Ask the operator to list it again.',
  detail: (slug?: string) =>
    slug === undefined
      ? { en: 'The merchant of this key is not listed.', pt: 'A loja desta chave não está ativa.' }
      : { en: `There is no merchant '${slug}'.`, pt: `A loja '${slug}' não existe.` },
});

export const referenceReused = defineProblem({
  code: 'reference_reused',
  status: 422,
  title: { en: 'The reference was used for another offer', pt: 'A referência foi usada em outra oferta' },
  cause:
    'The reference was used before with a different phone, amount, number of installments, description, items, metadata or `return_url`.',
  remedy: 'Use a new reference for a new offer, or send the same content to get the existing offer.',
  detail: (reference: string | null) => ({
    en: `There is another offer with the reference '${reference}'.`,
    pt: `Já existe outra oferta com a referência '${reference}'.`,
  }),
});

export const tooManyOffers = defineProblem({
  code: 'too_many_offers',
  status: 429,
  title: { en: 'Too many offers to this phone', pt: 'Ofertas demais para este telefone' },
  cause:
    'The number of offers that a phone can receive per day is limited for one merchant and for all merchants together, and so is the number of its pending offers; in live mode to 5, 20 and 10, unless the operator has configured other limits. The number of new phones that a merchant can send offers to per day is limited as well.',
  remedy: 'Try again after the seconds in `Retry-After`, or cancel offers that are no longer needed.',
});

export const itemsMismatch = defineProblem({
  code: 'items_mismatch',
  status: 422,
  title: { en: 'The items do not add up', pt: 'A soma dos itens não confere' },
  cause: 'The amounts of the items, each for its whole quantity, do not add up to the amount of the offer.',
  remedy: 'Send items whose amounts add up to `amount` exactly. Include shipping and other charges as items.',
  detail: (itemsCents: number, amountCents: number) => ({
    en: `The items add up to ${formatPlainReais(itemsCents)}, but the amount of the offer is ${formatPlainReais(amountCents)}.`,
    pt: `Os itens somam ${formatReais(itemsCents)}, e a oferta é de ${formatReais(amountCents)}.`,
    errors: [
      {
        pointer: '/items',
        message: {
          en: `must add up to ${formatPlainReais(amountCents)}`,
          pt: `devem somar ${formatReais(amountCents)}`,
        },
      },
    ],
  }),
});

const RETURN_URL_ERRORS = {
  malformed: { en: 'must be an absolute address', pt: 'deve ser um endereço' },
  insecure: { en: 'must be an https address', pt: 'deve ser um endereço https' },
  credentials: { en: 'must not contain a user name or a password', pt: 'não pode conter usuário nem senha' },
  fragment: { en: 'must not have a fragment (#)', pt: 'não pode ter fragmento (#)' },
  origin: {
    en: 'must have an origin that is allowed for the key',
    pt: 'deve ser de uma origem permitida para a chave',
  },
} as const;

export const returnUrlNotAllowed = defineProblem({
  code: 'return_url_not_allowed',
  status: 422,
  title: { en: 'The return URL is not allowed', pt: 'Não é possível voltar a esse endereço' },
  cause:
    '`return_url` is not an https URL with an origin in `return_origins` of the key, or contains a password or a fragment.',
  remedy:
    'Read `detail`, which lists the allowed origins. Ask the operator to add the origin of your shop to the key.',
  detail: (error: keyof typeof RETURN_URL_ERRORS, allowedOrigins: readonly string[] = []) => {
    const message = RETURN_URL_ERRORS[error];
    const originList = allowedOrigins.join(', ');
    return {
      en: `return_url ${message.en}${error === 'origin' ? `: ${originList || 'none'}` : ''}.`,
      pt: `return_url ${message.pt}${error === 'origin' ? `: ${originList || 'nenhuma'}` : ''}.`,
      errors: [{ pointer: '/return_url', message }],
    };
  },
});

export const tooManyAttempts = defineProblem({
  code: 'too_many_attempts',
  status: 429,
  title: { en: 'Too many wrong codes', pt: 'Códigos errados demais' },
  cause: 'A customer may send 10 wrong codes in 15 minutes, and one IP address 30.',
  remedy: 'Wait the seconds in `Retry-After`, or open the link of the offer.',
});

export const offerClaimed = defineProblem({
  code: 'offer_claimed',
  status: 409,
  title: { en: 'The offer was claimed by another customer', pt: 'Outra pessoa já abriu esta oferta' },
  cause: 'An open offer belongs to the first customer who claims it.',
  remedy: 'Request a new offer from the merchant.',
});

export const offerExpired = defineProblem({
  code: 'offer_expired',
  status: 409,
  title: { en: 'The offer has expired', pt: 'A oferta expirou' },
  cause: 'An offer can be accepted for two days. An open offer can be claimed until it expires.',
  remedy: 'Request a new offer from the merchant.',
  detail: (expiredAt: Date) => ({
    en: `The offer expired at ${expiredAt.toISOString()}.`,
    pt: `O prazo terminou em ${expiredAt.toISOString()}.`,
  }),
});

const PORTUGUESE_STATUSES = { accepted: 'aceita', declined: 'recusada', cancelled: 'cancelada' };

export const offerClosed = defineProblem({
  code: 'offer_closed',
  status: 409,
  title: { en: 'The offer is already closed', pt: 'A oferta já foi encerrada' },
  cause: 'The offer was accepted, declined or cancelled: `offer_status` says which.',
  remedy: 'Get the offer. An accepted offer has the hash of its purchase.',
  detail: (status: 'accepted' | 'declined' | 'cancelled') => ({
    en: `The offer was already ${status}.`,
    pt: `A oferta já foi ${PORTUGUESE_STATUSES[status]}.`,
    members: { offer_status: status },
  }),
});

/** Problems of a customer who may not buy for an amount. */
export const standingProblems: ProblemFactory[] = [
  creditLimitExceeded,
  customerOverdue,
  cashbackOwed,
  customerLocked,
];

/** Problems of a quote that the merchant's plan does not allow. */
export const quoteProblems: ProblemFactory[] = [amountOutOfRange, tooManyInstallments, termsUnlawful];

export const purchaseProblems: ProblemFactory[] = [...standingProblems, termsUnlawful];

export const paymentProblems: ProblemFactory[] = [installmentPaid, valueOutOfRange];

export const returnProblems: ProblemFactory[] = [checkoutReturned, valueOutOfRange];

export const creditReview = defineProblem({
  code: 'credit_review',
  status: 409,
  title: { en: 'The purchase needs a manual review', pt: 'Uma pessoa vai analisar antes' },
  cause: 'The credit policy requires a manual review of this purchase. The offer stays pending.',
  remedy:
    'Wait for the decision, which is sent as a message and as the event `credit.decided`. After an approval, accept the offer again.',
  detail: {
    en: 'This purchase will be reviewed manually. The offer stays valid in the meantime.',
    pt: 'Uma pessoa vai analisar esta compra. A oferta continua valendo enquanto isso.',
  },
});

export const creditDeclined = defineProblem({
  code: 'credit_declined',
  status: 409,
  title: { en: 'The purchase is declined', pt: 'A compra não foi aprovada' },
  cause: 'The credit policy declined this purchase. `reasons` has the codes of the deciding facts.',
  remedy: 'Show the detail to the customer. They may request a manual review: `POST /wallet/credit/review`.',
  detail: (reasons: readonly string[]) => ({
    en: `Reasons: ${reasons.map((code) => describeReason(code).en).join(' ')} You may request a manual review.`,
    pt: `O que contou: ${reasons.map((code) => describeReason(code).pt).join(' ')} Você pode pedir a análise de uma pessoa.`,
    members: { reasons },
  }),
});

export const ownMerchantPurchase = defineProblem({
  code: 'own_merchant',
  status: 409,
  title: {
    en: 'Members and payees cannot buy from their own merchant on credit',
    pt: 'Ninguém compra a crédito na própria loja',
  },
  cause:
    'The customer is a member of the merchant that created the offer (both have the same phone), or the current or pending payout account ' +
    'of the merchant has the CPF of the customer.',
  remedy: 'Use another payment method.',
  detail: {
    en: 'You belong to this merchant or are paid for its sales, and cannot buy from it on credit.',
    pt: 'Você faz parte desta loja ou recebe pelas vendas dela, e não pode comprar dela a crédito.',
  },
});

export const amountOverLimit = defineProblem({
  code: 'amount_over_limit',
  status: 422,
  title: { en: 'The amount is more than you may offer', pt: 'O valor é maior do que você pode oferecer' },
  cause: 'An owner of the merchant has limited the amount of this clerk’s offers to `max`.',
  remedy: 'Have an owner create the offer or raise the limit.',
  detail: (max: Cents) => ({
    en: `Your offers are limited to ${formatPlainReais(max)}.`,
    pt: `As suas ofertas podem ser de no máximo ${formatReais(max)}.`,
    members: { max: toReais(max) },
  }),
});

/** Problems of an offer that a merchant, or staff on its behalf, creates. */
export const offerProblems: ProblemFactory[] = [
  ...quoteProblems,
  itemsMismatch,
  merchantUnlisted,
  merchantOwes,
  phoneNotSupported,
  rateLimited,
  referenceReused,
  tooManyOffers,
];
