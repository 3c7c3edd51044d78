import { isProblem } from '#client';
import type { Face } from '../server/face.ts';
import { queryOf } from '../server/page.ts';
import { refuseForeign } from '../server/security.ts';
import { sendLead } from './lead.tsx';
import { faultPage, notFoundPage } from './notices.tsx';
import { ROUTES } from './routes.ts';
import { addWidget } from './widget.ts';

/** Pages that are the same for everybody, and the two forms for people who are no customers. */
export const siteFace: Face = {
  prefixes: [],
  add(host) {
    const { server, pages, siteUrl, customers, sendPage } = host;
    addWidget(host);
    for (const [path, make] of Object.entries(ROUTES)) {
      server.get(path, (request, reply) =>
        pages.send(request, reply, async (reader) => {
          const params = request.params as Record<string, string>;
          try {
            return await make({ reader, siteUrl: siteUrl(), params, ...queryOf(request) });
          } catch (error) {
            // A missing page is cached like any other.
            if (isProblem(error) && [400, 404].includes(error.status)) return notFoundPage(siteUrl());
            throw error;
          }
        }),
      );
    }
    for (const form of ['seja-parceiro', 'contato'] as const) {
      server.post(`/${form}`, async (request, reply) => {
        if (refuseForeign(request, reply)) return reply;
        const page = await sendLead(
          customers.callerOf(request),
          form,
          siteUrl(),
          request.body as URLSearchParams,
        );
        return page ? sendPage(request, reply, page) : reply.redirect(`/${form}/obrigado`, 303);
      });
    }
    return {
      missing: () => notFoundPage(siteUrl()),
      broken: (_request, _reply, fault) => faultPage(siteUrl(), fault),
    };
  },
};
