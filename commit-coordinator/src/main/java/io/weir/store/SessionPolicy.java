package io.weir.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The rights of a client's credentials: the objects below one key, and nothing else of the bucket. */
final class SessionPolicy {
    private static final List<String> READ = List.of("s3:GetObject");
    private static final List<String> WRITE = List.of(
            "s3:GetObject",
            "s3:PutObject",
            "s3:DeleteObject",
            "s3:AbortMultipartUpload",
            "s3:ListMultipartUploadParts");

    private SessionPolicy() {}

    /** @param location {@code s3://bucket/key}; the policy covers {@code key/} and what is below it */
    static String below(String location, boolean write) {
        String plain = location.replaceFirst("^s3[an]?://", "").replaceFirst("/+$", "");
        String bucket = plain.substring(0, plain.indexOf('/'));
        String key = plain.substring(plain.indexOf('/') + 1);
        ObjectNode policy = JsonNodeFactory.instance.objectNode().put("Version", "2012-10-17");
        ArrayNode statements = policy.putArray("Statement");
        statement(statements, write ? WRITE : READ, "arn:aws:s3:::" + bucket + "/" + key + "/*");
        statement(statements, List.of("s3:ListBucket"), "arn:aws:s3:::" + bucket)
                .putObject("Condition")
                .putObject("StringLike")
                .putArray("s3:prefix")
                .add(key + "/")
                .add(key + "/*");
        statement(statements, List.of("s3:GetBucketLocation"), "arn:aws:s3:::" + bucket);
        return policy.toString();
    }

    private static ObjectNode statement(ArrayNode statements, List<String> actions, String resource) {
        ObjectNode statement = statements.addObject().put("Effect", "Allow");
        actions.forEach(statement.putArray("Action")::add);
        statement.putArray("Resource").add(resource);
        return statement;
    }
}
