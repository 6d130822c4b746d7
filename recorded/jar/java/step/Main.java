package step;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Performs cases with the client on the class path.
 *
 * <p>A case is one line of fields that are separated by tabs; the words of a field are separated by spaces. For every
 * combination of answers that the client asks for, the program prints a line for each operation and a line
 * {@code =} with these answers; a line {@code .} ends the case. A line that begins with {@code !} ends a case that
 * cannot be performed: the client lacks something that this program needs. If that is so for all cases, the first
 * such line ends the program.
 */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) throws Exception {
        Writer out = new BufferedWriter(
            new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8));
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Instance instance = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String broken;
            try {
                instance = instance == null ? new Instance() : instance;
                perform(instance, line, out);
                continue;
            } catch (Reflect.Unknown e) {
                broken = "!unknown\t" + e.getMessage();
            } catch (NoClassDefFoundError e) {
                broken = "!class\t" + e.getMessage().replace('/', '.');
            } catch (LinkageError e) {
                broken = "!unknown\tanother signature: " + e.getMessage();
            } catch (Throwable e) {
                broken = "!failed\t" + e + (e.getStackTrace().length > 0 ? " at " + e.getStackTrace()[0] : "");
            }
            out.write(broken.replace('\n', ' ') + "\n");
            if (instance == null) {
                break;
            }
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void perform(Instance instance, String line, Writer out) throws Throwable {
        List<String[]> given = new ArrayList<>();
        List<String[]> operations = new ArrayList<>();
        Answers answers = new Answers();
        for (String field : line.split("\t")) {
            String[] words = field.split(" ");
            if (words[0].equals("op")) {
                operations.add(Arrays.copyOfRange(words, 1, words.length));
            } else if (words[0].equals("script")) {
                answers.script(words[1], words[2], List.of(words[3].split(",")));
            } else {
                given.add(words);
            }
        }
        do {
            Client client = new Client(instance, answers, given);
            for (String[] operation : operations) {
                out.write(client.perform(operation) + "\n");
            }
            out.write("=\t" + String.join("\t", answers.taken()) + "\n");
        } while (answers.next());
        out.write(".\n");
    }
}
