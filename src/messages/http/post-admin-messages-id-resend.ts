import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Outbound } from '../messages.ts';
import { messageNotKept, messageUnderWay, NO_MESSAGE } from '../problems.ts';
import { renderStaffMessage } from '../render-staff.ts';
import { resendMessage } from '../resend.ts';
import { StaffMessage } from '../schemas.ts';
import { findMessageOwner, findWhole } from '../staff-store.ts';

export const postAdminMessagesIdResend = ({ db, clock, contacts }: Outbound) =>
  endpoint('POST /admin/messages/:id/resend', {
    access: { scope: 'operator', role: 'support' },
    id: 'resendMessage',
    summary: 'Say something to a customer again',
    description:
      'As a message of its own, with what is true as it is sent: if nothing is, it becomes `withdrawn`. Reminders keep to their hours. ' +
      'Codes and offers cannot be sent again.',
    params: Type.Object({ id: Id('msg') }),
    notFound: NO_MESSAGE,
    answers: { 201: { description: 'The new message, not sent yet.', schema: StaffMessage } },
    problems: [messageUnderWay, messageNotKept],
    async handler(request) {
      const change = changeBy(request, clock.now());
      const message = await db.transaction(async (tx) => {
        const id = await resendMessage(tx, request.params.id, change);
        return id === undefined ? undefined : findWhole(tx, (await findMessageOwner(tx, id))!, id);
      });
      if (!message) throw request.notFound();
      const { parts: _, ...row } = message;
      const [named] = await contacts.nameAll(db, [renderStaffMessage(db.vault, row)]);
      return named!;
    },
  });
