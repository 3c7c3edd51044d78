import { Type } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Reais } from '#platform/http/schemas.ts';
import type { ApprovalDeps } from '../approvals.ts';

export const getAdminFourEyes = ({ settings }: ApprovalDeps) =>
  endpoint('GET /admin/four-eyes', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getFourEyes',
    summary: 'Get the approval threshold',
    description:
      'Acts above this amount require the approval of a second person. The setting is `FOUR_EYES_AMOUNT`.',
    responses: {
      200: {
        description: 'The threshold.',
        schema: Type.Object(
          {
            above: Type.Union([Reais('Acts above this amount require an approval'), Type.Null()], {
              description: 'In reais; null: no act requires an approval.',
            }),
          },
          { $id: 'FourEyes', examples: [{ above: 1000 }] },
        ),
      },
    },
    handler: async () => ({
      above: settings.fourEyesCents === 0 ? null : toReais(cents(settings.fourEyesCents)),
    }),
  });
