import { readFile } from 'node:fs/promises';
import { instant } from '#platform/command-line/cells.ts';
import { type Command, CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { listingCommand } from '#platform/command-line/listing.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { publishAgreement, readSections } from '../agreements/publish.ts';
import { AGREEMENT_KINDS, type AgreementKind, listedAgreements } from '../agreements/store.ts';

function kindOf(text: string | undefined): AgreementKind | undefined {
  if (text === undefined || AGREEMENT_KINDS.includes(text as AgreementKind))
    return text as AgreementKind | undefined;
  throw new UsageFault(`KIND is one of ${AGREEMENT_KINDS.join(', ')}.`);
}

export const agreementList: Command = listingCommand({
  name: 'agreement list',
  summary: 'show published versions of terms and privacy notice',
  positionals: [{ name: 'KIND', help: AGREEMENT_KINDS.join(', '), optional: true }],
  listing: (days, _context, args) => listedAgreements(kindOf(args.positionals[0]), days),
  render: (rows) => rows.map((row) => ({ ...row, published_at: row.published_at.toISOString() })),
  columns: {
    KIND: 'kind',
    VERSION: 'version',
    SECTIONS: ({ sections }) => String(sections.length),
    BY: 'published_by',
    PUBLISHED: instant('published_at'),
  },
  none: 'None: the texts that the service comes with are in force.',
});

export const agreementPublish: Command = {
  name: 'agreement publish',
  summary: 'publish a version of terms or privacy notice',
  positionals: [
    { name: 'KIND', help: AGREEMENT_KINDS.join(', ') },
    { name: 'FILE', help: 'plain text; each section begins with a line: ## Title' },
  ],
  options: { version: { value: 'VERSION', help: 'what it is called, e.g. 2027-01', required: true } },
  details: 'It is in force at once: the site shows it, and whoever signs up from then on agrees to it.',
  examples: ['semana agreement publish terms termos.md --version 2027-01'],
  async run(context, args) {
    const [kind, file = ''] = [kindOf(args.positionals[0])!, args.positionals[1]];
    const version = args.required('version');
    if (!/^[0-9A-Za-z.-]{1,40}$/.test(version))
      throw new UsageFault('--version has 1 to 40 letters, digits, dots and hyphens.');
    const text = await readFile(file, 'utf8').catch(() => {
      throw new CommandFault(`${file} cannot be read.`);
    });
    const sections = readSections(text);
    if (!sections) throw new CommandFault(`${file} has no sections: each begins with a line '## Title'.`);
    const change = changeByCommand(context, 'agreement publish');
    await context.db.transaction((tx) => publishAgreement(tx, { kind, version, sections }, change));
    context.print(`${kind} ${version} is in force, with ${sections.length} sections.`);
  },
};
