package rebalance;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A cidAll. Strategies get the same list object again and again, as long as they do not change it. */
final class Ids {
    private final String[] ids;
    private List<String> list;

    private Ids(String[] ids) {
        this.ids = ids;
        renew();
    }

    /** Reads the ids. Each is an object of its own, as in a client, so that strategies have to compare by equals. */
    static Ids read(ByteBuffer in, String[] strings) {
        String[] ids = new String[in.getInt()];
        for (int place = 0; place < ids.length; place++) {
            ids[place] = new String(strings[in.getInt()]);
        }
        return new Ids(ids);
    }

    List<String> list() {
        return list;
    }

    /** A text about a strategy's change of the list, null if there is none; the list is then restored. */
    String changed() {
        String found = difference();
        if (found != null) {
            renew();
        }
        return found;
    }

    private String difference() {
        if (list.size() != ids.length) {
            return "changes cidAll: it had " + ids.length + " ids, and has " + list.size();
        }
        for (int place = 0; place < ids.length; place++) {
            if (list.get(place) != ids[place]) {
                return "changes cidAll: another object is at position " + place;
            }
        }
        return null;
    }

    private void renew() {
        list = new ArrayList<>(Arrays.asList(ids));
    }
}
