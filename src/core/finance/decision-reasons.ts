import type { Bilingual } from '../values/bilingual.ts';

const REASON_TEXTS: Readonly<Record<string, Bilingual>> = {
  first_limit: {
    en: 'This is the first limit, the same for everyone.',
    pt: 'Este é o primeiro limite, igual para todo mundo.',
  },
  within_policy: {
    en: 'You meet the conditions for buying on credit.',
    pt: 'Nada impede você de comprar a prazo.',
  },
  paid_on_time: { en: 'You have paid your purchases on time.', pt: 'Você pagou as suas compras em dia.' },
  days_late: { en: 'An installment is late.', pt: 'Há uma parcela em atraso.' },
  worst_days_late: {
    en: 'Installments of the last twelve months were paid late.',
    pt: 'Houve parcelas pagas com atraso nos últimos doze meses.',
  },
  age_years: { en: 'You must be an adult.', pt: 'É preciso ser maior de idade.' },
  account_days: { en: 'Your account is new.', pt: 'A sua conta é recente.' },
  bureau_score: { en: 'Your score at the credit bureau.', pt: 'A sua pontuação no bureau de crédito.' },
  bureau_cpf_irregular: {
    en: 'Your CPF is not regular at the Receita Federal.',
    pt: 'O seu CPF não está regular na Receita Federal.',
  },
  refusals_month: { en: 'Purchases were recently refused.', pt: 'Houve compras recusadas nos últimos dias.' },
  merchant_loss_percent: {
    en: 'Too many purchases at this merchant are not paid.',
    pt: 'Muitas compras feitas nesta loja não são pagas.',
  },
  merchant_cap: {
    en: 'There is a maximum amount that you may owe at this merchant.',
    pt: 'Nesta loja há um valor máximo que se pode dever.',
  },
  offers_hour: { en: 'Many purchases within an hour.', pt: 'Muitas compras em uma hora.' },
  signups_address_day: {
    en: 'Many people signed up from the same location.',
    pt: 'Muitos cadastros feitos do mesmo lugar.',
  },
  signups_network_day: {
    en: 'Many people signed up from the same network.',
    pt: 'Muitos cadastros feitos da mesma rede.',
  },
  signups_device: {
    en: 'Other people signed up on the same device.',
    pt: 'Outras pessoas se cadastraram no mesmo aparelho.',
  },
  referral_ring: {
    en: 'Many invitations in a row in a short time.',
    pt: 'Muitos convites em sequência em pouco tempo.',
  },
  former_member: {
    en: 'You were a member of the merchant that made the offer.',
    pt: 'Você fez parte da loja que fez a oferta.',
  },
  young_buyers_day: {
    en: 'Many new customers bought at this merchant in one day.',
    pt: 'Muitos clientes novos compraram nesta loja em um dia.',
  },
  asked_by_customer: { en: 'You requested a review by a person.', pt: 'Você pediu a análise de uma pessoa.' },
  approved_by_person: { en: 'A person has approved it.', pt: 'Uma pessoa aprovou.' },
  declined_by_person: { en: 'A person has declined it.', pt: 'Uma pessoa recusou.' },
  set_by_hand: { en: 'A person has set your limit.', pt: 'Uma pessoa definiu o seu limite.' },
};

const UNKNOWN_SUFFIX = /_unknown$/;

/** Describes a reason. An unknown fact is described by the text of that fact. */
export function describeReason(reason: string): Bilingual {
  const text = REASON_TEXTS[reason.replace(UNKNOWN_SUFFIX, '')];
  if (text === undefined) return { en: reason, pt: reason };
  if (!UNKNOWN_SUFFIX.test(reason)) return text;
  return {
    en: `This could not be checked: ${text.en}`,
    pt: `Não foi possível verificar: ${text.pt}`,
  };
}
