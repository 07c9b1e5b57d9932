// @ts-check
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readManifest, targets } from './libraries.mjs';
import { NAME } from './manifest.mjs';
import { SBOM_ENDING } from './sbom.mjs';

/**
 * Returns the section of a version in a changelog, without its heading. Throws if there is none.
 * @param {string} changelog
 * @param {string} version
 */
export function readSection(changelog, version) {
  const section = changelog.split(/^## /m).find((each) => each.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}. Run npm run release first.`);
  return section.slice(section.indexOf('\n')).trim();
}

/**
 * Completes the files of a release: writes the checksums (SHA256SUMS) and the notes (NOTES.md) beside the packages of
 * all systems. Throws if a package is missing, or if the tag is not the one of the version.
 * @param {string} root the folder of the repository
 * @param {{ folder: string, tag?: string | undefined }} options `folder` has the packages
 * @returns {Promise<string[]>} the names of the files to publish
 */
export async function assemble(root, { folder, tag }) {
  const { version } = readManifest(join(root, 'apps/cli'));
  if (tag !== undefined && tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version of this commit.`);
  const notes = readSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  const files = targets.flatMap((system) =>
    ['.tgz', SBOM_ENDING].map((ending) => `${NAME}-${version}-${system}${ending}`),
  );
  const missing = files.filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(', ')}.`);
  const sums = await Promise.all(files.map(async (file) => `${await checksumOf(join(folder, file))}  ${file}\n`));
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  writeFileSync(join(folder, 'NOTES.md'), `${notes}\n\n${installation(version)}`);
  return [...files, 'SHA256SUMS'];
}

/** @param {string} path */
async function checksumOf(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** @param {string} version */
function installation(version) {
  return `### Install

Download the file for your system, and SHA256SUMS beside it. Then:

    sha256sum --check --ignore-missing SHA256SUMS
    npm install -g ./${NAME}-${version}-linux-x64.tgz
    ${NAME} serve

The files \`.cdx.json\` list the libraries in each package.
`;
}
