import { Button } from '@recollect/ui';
import { chooseFiles } from '../shell/choose-files.js';
import { Section } from './section.js';
import { Transfer } from './transfer.js';

/** All memories as one file and back, and files that become memories. */
export function ImportExport() {
  return (
    <>
      <Transfer />
      <Section heading={{ id: 'files', title: 'Save files' }}>
        <p>
          Text, Markdown and saved web pages become memories: choose them here, or drop them anywhere. To save some
          memories as Markdown, select them in the list and press Export.
        </p>
        <p>
          <Button icon="upload" onClick={chooseFiles}>
            Save files
          </Button>
        </p>
      </Section>
    </>
  );
}
