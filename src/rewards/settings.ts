import { pageLink } from '#platform/config.ts';
import { defineSettings, reais, type SettingsOf } from '#platform/settings.ts';

/** The promised rewards of an invitation, and the address of its link. */
export const rewardsSettings = defineSettings({
  link: pageLink({
    name: 'REFERRAL_LINK',
    meaning: {
      en: 'address customers share to invite others, with {code} in it; required in live, https',
      pt: 'endereço que os clientes compartilham para convidar, com {code}; obrigatório em produção, https',
    },
    page: '/convite/{code}',
    neededInLive: 'live mode needs the address customers share to invite others',
  }),
  referrerCents: {
    name: 'REFERRAL_REWARD_REFERRER',
    meaning: {
      en: 'cashback for who invited, in reais; invitations keep what was promised when they were made',
      pt: 'cashback de quem convidou, em reais; um convite mantém o que foi prometido quando foi feito',
    },
    default: '20.00',
    read: reais,
  },
  invitedCents: {
    name: 'REFERRAL_REWARD_INVITED',
    meaning: { en: 'cashback for the invited, in reais', pt: 'cashback de quem foi convidado, em reais' },
    default: '10.00',
    read: reais,
  },
  minPaidCents: {
    name: 'REFERRAL_MIN_PAID',
    meaning: {
      en: 'what the invited must have paid off installments by PIX, in reais, for both to be rewarded; invitations keep what held when they were made',
      pt: 'quanto quem foi convidado precisa ter pago de parcelas por PIX, em reais, para os dois ganharem; um convite mantém o que valia quando foi feito',
    },
    default: '30.00',
    read: reais,
  },
});

export type RewardsSettings = SettingsOf<typeof rewardsSettings>;
