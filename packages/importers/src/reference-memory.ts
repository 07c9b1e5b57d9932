import { defineImporter, type ImportFile, type Item, readEach } from './importer.js';
import { item } from './to-capture.js';
import { type Fields, fieldsIn, isFields, linesOf, textOf, textsOf } from './values.js';

/**
 * The reference server for memory of the Model Context Protocol, and those that were made of it: a line of JSON for
 * each entity and relation, or a list of each.
 */
export const referenceMemory = defineImporter({
  program: 'MCP reference memory',
  detects(file) {
    const { entities } = readGraph(file, FIRST_LINES);
    return entities.some(({ observations }) => Array.isArray(observations));
  },
  *read(file) {
    const { entities, relations } = readGraph(file);
    const facts = new Map<string, { tags: string[]; facts: string[] }>();
    const about = (name: string) => {
      const known = facts.get(name) ?? { tags: [], facts: [] };
      facts.set(name, known);
      return known;
    };
    for (const entity of entities) {
      const { tags, facts: known } = about(entityTitle(entity));
      tags.push(...textsOf([entity.entityType]));
      for (const observation of observationsOf(entity)) known.push(observation);
    }
    // A relation is a fact about both of its ends, one of which may be no entity of the file.
    for (const { from, to, relationType } of relations) {
      const [subject, object, verb] = [textOf(from), textOf(to), textOf(relationType)];
      if (subject !== '') about(subject).facts.push(`${verb}: ${object}`);
      if (
        object !== '' &&
        !entities.some((entity) => entityTitle(entity) === object && observationsOf(entity).length > 0)
      )
        about(object).facts.push(`${subject} ${verb} ${object}`);
    }
    yield* readEach(facts, readFacts, ([name]) => name);
  },
});

function readFacts([name, { tags, facts }]: [string, { tags: string[]; facts: string[] }]): Item {
  if (facts.length === 0) return { skipped: name, reason: 'Nothing is known of it.', isExpected: true };
  const list = facts.map((fact) => `- ${fact}`).join('\n');
  return item({ capture: { title: name, pageText: [name, list].join('\n\n'), sourceApp: 'memory', tags } });
}

interface Graph {
  entities: Fields[];
  relations: Fields[];
}

/** Lines by which a file is recognised. */
const FIRST_LINES = 100;

function readGraph(file: ImportFile, most?: number): Graph {
  const json = file.object();
  if (isFields(json) && Array.isArray(json.entities))
    return { entities: fieldsIn(json.entities), relations: fieldsIn(json.relations) };
  const lines = linesOf(file.text, most);
  return {
    entities: lines.filter(({ type }) => type === 'entity'),
    relations: lines.filter(({ type }) => type === 'relation'),
  };
}

function entityTitle({ name, entityName, id }: Fields): string {
  return textOf(name) || textOf(entityName) || textOf(id);
}

/** Texts, or objects with one. */
function observationsOf({ observations }: Fields): string[] {
  const list: unknown[] = Array.isArray(observations) ? observations : [];
  return textsOf(list.map((one) => (isFields(one) ? textOf(one.content) || textOf(one.text) : one)));
}
