import { endpoint } from '#platform/http/endpoint.ts';
import { preferredLanguage } from '#platform/http/problem-body.ts';
import { ListOf } from '#platform/http/schemas.ts';
import type { Overview } from '../overview.ts';
import { SettingInForce } from '../schemas.ts';

export const getAdminSettings = ({ settings }: Overview) =>
  endpoint('GET /admin/settings', {
    access: { scope: 'operator', role: 'admin' },
    id: 'listSettings',
    summary: 'Show the settings in force on this node',
    description:
      'Secrets and passwords in addresses are hidden. They are changed in the environment. ' +
      'Texts are in Portuguese when `Accept-Language` prefers it, else in English.',
    answers: { 200: { description: 'All of them.', schema: ListOf(SettingInForce) } },
    async handler(request) {
      const language = preferredLanguage(request.headers['accept-language']);
      const data = settings().map(({ meaning, value, ...setting }) => ({
        ...setting,
        meaning: meaning[language],
        value: value?.[language] ?? null,
      }));
      return { data };
    },
  });
