import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { shown } from '#platform/http/shown.ts';
import { PixOrphan } from '../schemas.ts';
import type { OrphanRow } from '../store/orphans.ts';

export const renderOrphan = (orphan: OrphanRow): Static<typeof PixOrphan> => ({
  ...shown(PixOrphan, orphan),
  value: toReais(cents(orphan.amount_cents)),
});
