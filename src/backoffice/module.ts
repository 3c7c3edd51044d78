import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { customerNote } from './commands/customer-note.ts';
import * as endpoints from './http/index.ts';
import { notesData } from './notes.ts';

export const backofficeModule = defineModule({
  name: 'backoffice',
  personalData: notesData,
  commands: () => [customerNote],
  open: ({ db, clock }) => openEndpoints(endpoints, { db, clock }),
});
