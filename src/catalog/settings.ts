import { defineSettings, integer, type SettingsOf } from '#platform/settings.ts';

export const catalogSettings = defineSettings({
  leadsPerAddress: {
    name: 'LEADS_PER_ADDRESS',
    meaning: {
      en: 'how many different forms (leads) may be sent in an hour from one address; with one key a tenth of it in a minute',
      pt: 'quantos contatos (formulários) diferentes um mesmo endereço IP pode enviar por hora; com uma mesma chave, um décimo disso por minuto',
    },
    default: { sandbox: '1000', live: '100' },
    read: integer(10, 1_000_000),
  },
});

export type CatalogSettings = SettingsOf<typeof catalogSettings>;
