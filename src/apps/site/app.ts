import { isProblem } from '#client';
import type { App } from '../server/app.ts';
import { createQueryReader } from '../server/page.ts';
import { rejectCrossOriginRequest } from '../server/security.ts';
import { privacyPage, termsPage } from './agreement.tsx';
import { blogPage, postPage } from './blog.tsx';
import { buildRobotsPage, feedPage, sitemapPage } from './feeds.ts';
import { homePage } from './home.tsx';
import { buildLeadPage, submitLead } from './lead.tsx';
import { merchantPage, merchantsPage } from './merchants.tsx';
import { questionsPage } from './questions.tsx';
import { merchantImage, postImage, siteImage } from './social-images.ts';
import { buildFailurePage, buildNotFoundPage, buildThanksPage, invitationPage } from './status-pages.tsx';
import type { SitePageHandler } from './visit.ts';
import { addWidget, widgetPage } from './widget.tsx';

/** The public site: cached pages that are the same for all visitors, and the contact forms. */
export const siteApp: App = {
  pathPrefixes: [],
  addRoutes(host) {
    const { server, sharedPages, getSiteUrl, customers, sendPage } = host;
    addWidget(host);
    for (const [path, renderPage] of Object.entries(ROUTES)) {
      server.get(path, (request, reply) =>
        // The reader records the catalog resources that the page is built from, so that the page is rebuilt when one of them changes.
        sharedPages.send(request, reply, async (reader) => {
          const params = request.params as Record<string, string>;
          try {
            return await renderPage({ reader, siteUrl: getSiteUrl(), params, ...createQueryReader(request) });
          } catch (error) {
            // The not-found page is returned, not thrown, so that it is cached like other pages.
            if (isProblem(error) && [400, 404].includes(error.status)) return buildNotFoundPage(getSiteUrl());
            throw error;
          }
        }),
      );
    }
    for (const formName of ['seja-parceiro', 'contato'] as const) {
      server.post(`/${formName}`, async (request, reply) => {
        if (rejectCrossOriginRequest(request, reply)) return reply;
        const page = await submitLead(
          customers.createClientFor(request),
          formName,
          getSiteUrl(),
          request.body as URLSearchParams,
        );
        return page ? sendPage(request, reply, page) : reply.redirect(`/${formName}/obrigado`, 303);
      });
    }
    return {
      renderNotFound: () => buildNotFoundPage(getSiteUrl()),
      renderFailure: (_request, _reply, failure) => buildFailurePage(getSiteUrl(), failure),
    };
  },
};

export const ROUTES: Readonly<Record<string, SitePageHandler>> = {
  '/': homePage,
  '/lojas': merchantsPage,
  '/lojas/:slug': merchantPage,
  '/perguntas': questionsPage,
  '/blog': blogPage,
  '/blog/:slug': postPage,
  '/blog/feed.xml': feedPage,
  '/seja-parceiro': async ({ siteUrl }) => buildLeadPage('seja-parceiro', siteUrl),
  '/seja-parceiro/obrigado': async ({ siteUrl }) => buildThanksPage(siteUrl, '/seja-parceiro/obrigado'),
  '/contato': async ({ siteUrl }) => buildLeadPage('contato', siteUrl),
  '/contato/obrigado': async ({ siteUrl }) => buildThanksPage(siteUrl, '/contato/obrigado'),
  '/convite/:code': invitationPage,
  '/termos': termsPage,
  '/privacidade': privacyPage,
  '/widget': widgetPage,
  '/sitemap.xml': sitemapPage,
  '/robots.txt': async ({ siteUrl }) => buildRobotsPage(siteUrl),
  '/og/site.png': siteImage,
  '/og/lojas/:slug.png': merchantImage,
  '/og/blog/:slug.png': postImage,
};
