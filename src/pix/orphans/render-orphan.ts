import type { Static } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { project } from '#platform/http/project.ts';
import { PixOrphan } from '../schemas.ts';
import type { OrphanRow } from '../store/orphans.ts';

export const renderOrphan = (orphan: OrphanRow): Static<typeof PixOrphan> => ({
  ...project(PixOrphan, orphan),
  value: toReais(cents(orphan.amount_cents)),
});
