import { defineSettings, integer, type SettingsOf } from '#platform/settings.ts';

export const catalogSettings = defineSettings({
  leadsPerAddress: {
    name: 'LEADS_PER_ADDRESS',
    description: {
      en: 'maximum number of different leads per hour from one IP address; a tenth of it per minute with one API key',
      pt: 'quantos contatos (formulários) diferentes um mesmo endereço IP pode enviar por hora; com uma mesma chave, um décimo disso por minuto',
    },
    default: { sandbox: '1000', live: '100' },
    parse: integer(10, 1_000_000),
  },
});

export type CatalogSettings = SettingsOf<typeof catalogSettings>;
