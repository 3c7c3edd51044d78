import { type Cents, cents, inReais, spokenReais, toReais } from '#core/money.ts';
import type { ScheduleRefusal } from '#core/schedule.ts';
import { defineProblem, type FieldError, type ProblemMaker } from '#platform/problem.ts';

export const NO_OPEN_OFFER = {
  en: 'There is no such open offer.',
  pt: 'Não há oferta com este link ou código.',
};

export const NO_INSTALLMENT = {
  en: 'You have no installment with this id.',
  pt: 'Você não tem parcela com este id.',
};

export const creditLimitExceeded = defineProblem({
  code: 'credit_limit_exceeded',
  status: 422,
  title: { en: 'The purchase is over the available limit', pt: 'A compra ultrapassa o limite disponível' },
  cause: 'What the customer owes and the total of this purchase are together more than the credit limit.',
  remedy: 'Sell for at most `available`, interest included, or raise the limit.',
  detail: ({ limit, used, total }: { limit: Cents; used: Cents; total: Cents }) => {
    const available = cents(limit - used);
    return {
      en: `The purchase comes to ${toReais(total)} in all, and ${toReais(available)} are available.`,
      pt: `A compra soma ${spokenReais(total)} ao todo, e há ${spokenReais(available)} disponíveis.`,
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
    'An installment of the customer is past its effective due day, and nothing is sold on credit until it is settled.',
  remedy: 'Have the late installment paid or extended, then try again.',
  detail: { en: 'The customer has an overdue installment.', pt: 'O cliente tem uma parcela vencida.' },
});

export const cashbackOwed = defineProblem({
  code: 'cashback_owed',
  status: 409,
  title: { en: 'The customer owes cashback', pt: 'O cliente deve cashback' },
  cause:
    'Cashback that the customer had spent was taken back, since a purchase was returned or a payment taken back. Nothing is sold on ' +
    'credit until that is made up.',
  remedy:
    'What is earned next fills it up first: have open installments paid on time. The operator may adjust it. What is missing is `owed`.',
  detail: (owed: Cents) => ({
    en: `The customer owes ${inReais(owed)} of cashback.`,
    pt: `O cliente deve ${spokenReais(owed)} de cashback.`,
    members: { owed: toReais(owed) },
  }),
});

export const customerLocked = defineProblem({
  code: 'customer_locked',
  status: 409,
  title: { en: 'The customer is locked', pt: 'O cliente está bloqueado' },
  cause: 'The operator has locked this customer.',
  remedy: 'Unlock the customer, then try again.',
  detail: { en: 'The customer is locked.', pt: 'O cliente está bloqueado.' },
});

export const termsUnlawful = defineProblem({
  code: 'terms_unlawful',
  status: 422,
  title: { en: 'The terms break consumer law', pt: 'As condições violam o Código de Defesa do Consumidor' },
  cause:
    'A fine of more than 2 % of the installment (CDC art. 52 §1), late interest of more than 1 % a month (STJ Súmula 379), an ' +
    'extension fee of more than 10 %, or a weekly rate of more than the operator allows (CDC art. 51 IV).',
  remedy: 'Read `errors`: each names the term, the most it may be, and the rule of law.',
  detail: (whose: 'purchase' | 'merchant', errors: readonly FieldError[]) => ({
    ...(whose === 'purchase'
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
  cause: 'Nothing is owed on the installment any more.',
  remedy: 'Read the purchase again: there is nothing to pay.',
  detail: { en: 'Nothing is owed on this installment.', pt: 'Não há nada a pagar nesta parcela.' },
});

const VERBS = { paid: 'Pode ser pago', returned: 'Podem ser devolvidos' };

export const valueOutOfRange = defineProblem({
  code: 'value_out_of_range',
  status: 422,
  title: { en: 'The amount is too small or too large', pt: 'O valor é pequeno ou grande demais' },
  cause:
    'A part by PIX is at least 1.00, or the total due if that is less, and at most the total due. With cashback it is at ' +
    'most what is available and what settles the installment now. No more can be returned than is left of a purchase.',
  remedy: 'Send an amount from `min` to `max` of this answer.',
  detail: (verb: keyof typeof VERBS, min: Cents, max: Cents) => ({
    en: `From ${inReais(min)} to ${inReais(max)} can be ${verb}.`,
    pt: `${VERBS[verb]} de ${spokenReais(min)} a ${spokenReais(max)}.`,
    members: { min: toReais(min), max: toReais(max) },
  }),
});

export const checkoutReturned = defineProblem({
  code: 'checkout_returned',
  status: 409,
  title: { en: 'The purchase was returned whole', pt: 'A compra já foi devolvida por inteiro' },
  cause: 'All of it was returned already: nothing is left to return.',
  remedy: 'Read the purchase: `returned_at` says when.',
  detail: {
    en: 'All of this purchase was returned already.',
    pt: 'Esta compra já foi devolvida por inteiro.',
  },
});

export const returnWaiting = defineProblem({
  code: 'return_waiting',
  status: 409,
  title: { en: 'A return of it waits already', pt: 'Já há uma devolução aguardando' },
  cause: 'Returns that wait for the operator come to all that is left of the purchase.',
  remedy: 'Wait for the operator: `GET /merchant/returns` shows what becomes of it.',
  detail: {
    en: 'All that is left of this purchase waits to be returned.',
    pt: 'Tudo o que resta desta compra já aguarda devolução.',
  },
});

export const returnClosed = defineProblem({
  code: 'return_closed',
  status: 409,
  title: { en: 'The return does not wait any more', pt: 'A devolução não aguarda mais' },
  cause: 'It was let through or refused already.',
  remedy: 'Read the list of returns: `status` says what became of it.',
  detail: (status: 'made' | 'refused') => ({
    en: `This return was ${status} already.`,
    pt: status === 'made' ? 'Esta devolução já foi feita.' : 'Esta devolução já foi recusada.',
  }),
});

export const merchantOwes = defineProblem({
  code: 'merchant_owes',
  status: 409,
  title: { en: 'The merchant owes too much', pt: 'O lojista deve demais' },
  cause: 'Returns have left the merchant owing more than it may (`MERCHANT_FLOOR`).',
  remedy: 'New offers are possible again once sales have made that up. Ask the operator.',
  detail: (owes: number, most: number) => ({
    en: `The merchant owes R$ ${owes.toFixed(2)}; with more than R$ ${most.toFixed(2)} it makes no new offers.`,
    pt: `A loja deve R$ ${owes.toFixed(2).replace('.', ',')}; acima de R$ ${most.toFixed(2).replace('.', ',')} não faz novas ofertas.`,
  }),
});

export const nothingToWriteOff = defineProblem({
  code: 'nothing_to_write_off',
  status: 409,
  title: { en: 'There is nothing to write off', pt: 'Não há nada a baixar como perda' },
  cause: 'Nothing of the amount is owed on the purchase any more, or it is written off already.',
  remedy: 'Read the purchase: `outstanding` and `written_off_at` say how it stands.',
  detail: (why: 'written_off' | 'nothing_owed') =>
    why === 'written_off'
      ? { en: 'This purchase is written off already.', pt: 'Esta compra já foi baixada como perda.' }
      : {
          en: 'Nothing of the amount is owed on this purchase.',
          pt: 'Não há nada em aberto nesta compra.',
        },
});

export const notWrittenOff = defineProblem({
  code: 'not_written_off',
  status: 409,
  title: { en: 'The purchase is not written off', pt: 'A compra não está baixada como perda' },
  cause: 'Only a purchase that was written off, and not reinstated since, can be reinstated.',
  remedy: 'Read the purchase: `written_off_at` says how it stands.',
  detail: {
    en: 'This purchase is not written off.',
    pt: 'Esta compra não está baixada como perda.',
  },
});

export const amountOutOfRange = defineProblem({
  code: 'amount_out_of_range',
  status: 422,
  title: { en: 'The merchant does not sell for this amount', pt: 'O lojista não vende por este valor' },
  cause: 'The amount is outside of what the merchant’s plan allows, or too small for so many installments.',
  remedy: 'Choose an amount from `min_amount` to `max_amount`.',
  detail: (bounds: { min: Cents; max: Cents } | ScheduleRefusal) => {
    if ('message' in bounds) {
      const { en, pt } = bounds.message;
      return { en: `${en}.`, pt: `${pt}.` };
    }
    const [min, max] = [toReais(bounds.min), toReais(bounds.max)];
    const [from, to] = [spokenReais(bounds.min), spokenReais(bounds.max)];
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
    en: 'So many installments are not possible here',
    pt: 'Não é possível dividir em tantas parcelas',
  },
  cause: 'The merchant’s plan, or the offer, allows fewer installments.',
  remedy: 'Choose at most `max_installments`.',
  detail: (most: number) => ({
    en: `At most ${most} installments are possible here.`,
    pt: `Aqui são possíveis no máximo ${most} parcelas.`,
    errors: [
      {
        pointer: '/installments',
        message: { en: `must be at most ${most}`, pt: `deve ser no máximo ${most}` },
      },
    ],
    members: { max_installments: most },
  }),
});

export const merchantUnlisted = defineProblem({
  code: 'merchant_unlisted',
  status: 409,
  title: { en: 'The merchant does not sell at present', pt: 'O lojista não está vendendo no momento' },
  cause: 'The operator has taken the merchant of this key out of the catalog.',
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
    'The same reference came before with another phone, amount, number of installments, description, items or `return_url`.',
  remedy: 'Use a new reference for a new offer; repeat the very same content to get the offer again.',
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
    'How many offers a day a merchant makes to a phone, all merchants together, and how many wait for an answer, is limited; in live mode to 5, 20 and 10 unless the operator has set others. So is to how many new phones a merchant makes one in a day.',
  remedy:
    'Try again after the seconds given in `Retry-After`, or cancel offers that are not wanted any more.',
});

export const itemsMismatch = defineProblem({
  code: 'items_mismatch',
  status: 422,
  title: { en: 'The items do not add up', pt: 'A soma dos itens não confere' },
  cause: 'The amounts of the items, each for its whole quantity, do not add up to the amount of the offer.',
  remedy:
    'Send items whose amounts add up to `amount`, to the centavo: shipping and the like are items, too.',
  detail: (itemsCents: number, amountCents: number) => ({
    en: `The items come to ${inReais(itemsCents)}, the offer is of ${inReais(amountCents)}.`,
    pt: `Os itens somam ${spokenReais(itemsCents)}, e a oferta é de ${spokenReais(amountCents)}.`,
    errors: [
      {
        pointer: '/items',
        message: {
          en: `must add up to ${inReais(amountCents)}`,
          pt: `devem somar ${spokenReais(amountCents)}`,
        },
      },
    ],
  }),
});

const RETURN_URL_FAULTS = {
  malformed: { en: 'must be an address', pt: 'deve ser um endereço' },
  insecure: { en: 'must be an https address', pt: 'deve ser um endereço https' },
  credentials: { en: 'must not hold a name or a password', pt: 'não pode conter usuário nem senha' },
  fragment: { en: 'must not have a fragment (#)', pt: 'não pode ter fragmento (#)' },
  origin: {
    en: 'must be of an origin that the key may lead back to',
    pt: 'deve ser de uma origem permitida para a chave',
  },
} as const;

export const returnUrlNotAllowed = defineProblem({
  code: 'return_url_not_allowed',
  status: 422,
  title: { en: 'Customers cannot be led back there', pt: 'Não é possível voltar a esse endereço' },
  cause:
    '`return_url` is not an https address of an origin in `return_origins` of the key, or has a password or a fragment in it.',
  remedy: 'Read `errors`. Ask the operator to add the origin of your shop to the key.',
  detail: (fault: keyof typeof RETURN_URL_FAULTS) => ({
    en: `return_url ${RETURN_URL_FAULTS[fault].en}.`,
    pt: `return_url ${RETURN_URL_FAULTS[fault].pt}.`,
    errors: [{ pointer: '/return_url', message: RETURN_URL_FAULTS[fault] }],
  }),
});

export const tooManyAttempts = defineProblem({
  code: 'too_many_attempts',
  status: 429,
  title: { en: 'Too many wrong codes', pt: 'Códigos errados demais' },
  cause: 'A customer may type 10 codes in 15 minutes that are no offer’s, and all from one address 30.',
  remedy: 'Wait the seconds given in `Retry-After`, or open the link of the offer.',
});

export const offerClaimed = defineProblem({
  code: 'offer_claimed',
  status: 409,
  title: { en: 'Somebody else has the offer', pt: 'Outra pessoa já abriu esta oferta' },
  cause: 'An open offer is taken by whoever claims it first.',
  remedy: 'Ask the merchant for a new one.',
  detail: {
    en: 'Somebody else has claimed this offer.',
    pt: 'Esta oferta já foi aberta por outra pessoa.',
  },
});

export const offerExpired = defineProblem({
  code: 'offer_expired',
  status: 409,
  title: { en: 'The offer has expired', pt: 'A oferta expirou' },
  cause: 'An offer can be accepted for two days, and an open one claimed until it expires.',
  remedy: 'Ask the merchant for a new one.',
  detail: (expiredAt: Date) => ({
    en: `Its time was up at ${expiredAt.toISOString()}.`,
    pt: `O prazo terminou em ${expiredAt.toISOString()}.`,
  }),
});

const CLOSED = { accepted: 'aceita', declined: 'recusada', cancelled: 'cancelada' };

export const offerClosed = defineProblem({
  code: 'offer_closed',
  status: 409,
  title: { en: 'Something came of the offer already', pt: 'A oferta já foi encerrada' },
  cause: 'It was accepted, declined or cancelled before: `offer_status` says which.',
  remedy: 'Read the offer. One that was accepted names the purchase.',
  detail: (status: 'accepted' | 'declined' | 'cancelled') => ({
    en: `The offer was ${status} already.`,
    pt: `A oferta já foi ${CLOSED[status]}.`,
    members: { offer_status: status },
  }),
});

/** Why a customer cannot buy now. */
export const standingProblems: ProblemMaker[] = [
  creditLimitExceeded,
  customerOverdue,
  cashbackOwed,
  customerLocked,
];

/** Why a merchant does not sell this. */
export const quoteProblems: ProblemMaker[] = [amountOutOfRange, tooManyInstallments, termsUnlawful];

/** The refusals of an operator's purchase. */
export const purchaseProblems: ProblemMaker[] = [...standingProblems, termsUnlawful];

/** Why an installment cannot be paid, by any means. */
export const paymentProblems: ProblemMaker[] = [installmentPaid, valueOutOfRange];

/** Why nothing can be returned. */
export const returnProblems: ProblemMaker[] = [checkoutReturned, valueOutOfRange];
