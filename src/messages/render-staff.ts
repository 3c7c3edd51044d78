import { shown } from '#platform/http/shown.ts';
import type { Vault } from '#platform/vault.ts';
import { StaffMessage } from './schemas.ts';
import type { ListedMessage } from './staff-store.ts';
import { openMessage } from './store.ts';
import { isTemplate, templateOf } from './templates.ts';

/** A message as staff see it, without the name of its customer. */
export const renderStaffMessage = (vault: Vault, { text, ...row }: ListedMessage) => ({
  ...shown(StaffMessage, row),
  title: isTemplate(row.template) ? templateOf(row.template).title : row.template,
  text: text && openMessage(vault, row.id, text),
});
