import { type Operation, operations, problems } from '@recollect/contract';
import { commonProblems } from '../src/problem.js';

/** The page docs/operations.md: each operation with its scope, parameters and errors, and each error code. */
export function formatOperations(): string {
  const rows = Object.values<Operation>(operations).map(({ method, path, summary, scope, query, problems: own }) => {
    const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
    return `| \`${method} ${path}\` | ${summary} | ${scope} | ${codes(names)} | ${codes(own)} |`;
  });
  const errors = Object.entries(problems).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`);
  return `# Operations and errors

This page is generated from the table of the routes. [The OpenAPI 3.1 document](/openapi.json) has every field, and
[the HTTP interface](interface.md) has the rules.

## Operations

\`public\` needs no identity, \`any\` an identity with any scope. \`admin\` is for the owner of the memories, and
\`operate\` for people who operate the deployment. A parameter of the path is in braces; the others are in the query.

| operation | meaning | scope | parameters | errors |
|---|---|---|---|---|
${rows.join('\n')}

## Common errors

| requests | errors |
|---|---|
| all | ${codes(commonProblems.anywhere)} |
| with a scope | ${codes(commonProblems.scoped)} |
| with the scope \`admin\` or \`operate\` | ${codes(commonProblems.owned)} |
| other than GET | ${codes(commonProblems.writing)} |

## Error codes

Every error is \`application/problem+json\` with \`code\`, \`detail\` and \`requestId\`.

| code | status | meaning |
|---|---|---|
${errors.join('\n')}
`;
}

const codes = (list: readonly string[]) => list.map((code) => `\`${code}\``).join(' ');
