import type { Deps } from '#module';
import { defineLinkSetting } from '#platform/config.ts';
import { defineSettings, integer, reais, type SettingsOf } from '#platform/settings.ts';

/** The rewards of new invitations, and the link that customers share. */
export const rewardsSettings = defineSettings({
  link: defineLinkSetting({
    name: 'REFERRAL_LINK',
    description: {
      en: 'URL that customers share to invite others, with {code} in it; required in live mode, https',
      pt: 'endereço que os clientes compartilham para convidar, com {code}; obrigatório em produção, https',
    },
    page: '/convite/{code}',
    requiredInLive: 'live mode needs the URL that customers share to invite others',
  }),
  referrerCents: {
    name: 'REFERRAL_REWARD_REFERRER',
    description: {
      en: 'cashback of the referrer, in reais; existing invitations keep the reward that was promised',
      pt: 'cashback de quem convidou, em reais; um convite mantém o que foi prometido quando foi feito',
    },
    default: '20.00',
    parse: reais,
  },
  invitedCents: {
    name: 'REFERRAL_REWARD_INVITED',
    description: {
      en: 'cashback of the invited customer, in reais',
      pt: 'cashback de quem foi convidado, em reais',
    },
    default: '10.00',
    parse: reais,
  },
  minPaidCents: {
    name: 'REFERRAL_MIN_PAID',
    description: {
      en: 'amount of installments that the invited customer must pay by PIX, in reais, for both to be rewarded; existing invitations keep theirs',
      pt: 'quanto quem foi convidado precisa ter pago de parcelas por PIX, em reais, para os dois ganharem; um convite mantém o que valia quando foi feito',
    },
    default: '30.00',
    parse: reais,
  },
  rewardsPerMerchant: {
    name: 'REWARDS_PER_MERCHANT',
    description: {
      en: 'maximum invitation rewards in 30 days for purchases at one merchant, of a referrer and of those who invited the referrer; further ones wait for the role risk',
      pt: 'quantos convites de uma pessoa, e de quem a convidou, rendem cashback em 30 dias por compras na mesma loja; os demais esperam pelo papel risk',
    },
    default: { sandbox: '1000', live: '3' },
    parse: integer(0, 100_000),
  },
});

export type RewardsSettings = SettingsOf<typeof rewardsSettings>;

export type RewardsDeps = Deps & { referralSettings: RewardsSettings };
