// @ts-check
import { FromNodePackageJson, License } from '@cyclonedx/cyclonedx-library/Contrib';
import { ComponentType } from '@cyclonedx/cyclonedx-library/Enums';
import { Bom, Component, Metadata } from '@cyclonedx/cyclonedx-library/Models';
import { JSON as Json, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';
import { PackageURL } from 'packageurl-js';
// @ts-expect-error The package has no types.
import parseExpression from 'spdx-expression-parse';

/** The end of the file's name, by the convention of CycloneDX. */
export const SBOM_ENDING = '.cdx.json';

/**
 * Lists the libraries and models of a package as a software bill of materials (CycloneDX 1.6, JSON). The same package
 * always has the same list: it has no time and no random number.
 * @param {import('./libraries.mjs').Manifest} program its manifest
 * @param {readonly import('./libraries.mjs').Library[]} libraries
 * @param {readonly string[]} models their names
 */
export function createSbom(program, libraries, models) {
  const builder = new FromNodePackageJson.Builders.ComponentBuilder(
    new FromNodePackageJson.Factories.ExternalReferenceFactory(),
    new License.Factories.LicenseFactory(parseExpression),
  );
  /** @param {import('./libraries.mjs').Manifest} manifest @param {ComponentType} type */
  const describe = (manifest, type) => {
    const component = builder.makeComponent(manifest, type);
    if (component === undefined) throw new Error(`${manifest.name} cannot be described.`);
    const slash = manifest.name.lastIndexOf('/');
    const scope = slash < 0 ? undefined : manifest.name.slice(0, slash);
    const purl = new PackageURL('npm', scope, manifest.name.slice(slash + 1), manifest.version, undefined, undefined);
    component.purl = purl.toString();
    component.bomRef.value = component.purl;
    return component;
  };
  const bom = new Bom({ metadata: new Metadata({ component: describe(program, ComponentType.Application) }) });
  for (const { manifest } of libraries) bom.components.add(describe(manifest, ComponentType.Library));
  for (const name of models)
    bom.components.add(new Component(ComponentType.MachineLearningModel, name, { bomRef: `model:${name}` }));
  const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}
